//! The commands that both builds run, in order: later ones read what earlier ones wrote, and none writes a file twice.

/// Every data set, most of them small; those that are read again get short names.
const DATA: &[&str] = &[
    "generate swiss-roll --points 1200 --seed 1 --output roll.csv --truth roll-truth.csv",
    "generate swiss-roll --points 400 --seed 2 --output small.csv --truth small-truth.npy",
    "generate swiss-roll --points 800 --seed 3 --noise 0.6 --output noisy.csv",
    "generate swiss-roll --points 200 --seed 4 --set turns=1 --set height=9 --output new.csv",
    "generate swiss-roll-hole --points 600 --seed 1 --output hole.npy --truth hole-truth.npy",
    "generate s-curve --points 600 --seed 1 --output curve.npy --truth curve-truth.csv",
    "generate cylinder --points 700 --seed 1 --set height=3 --output cylinder.csv --truth cylinder-truth.csv",
    "generate hemisphere --points 500 --seed 1 --output hemisphere.tsv",
    "generate two-pieces --points 500 --seed 1 --output pieces.csv",
    "generate sphere --points 500 --seed 1 --output sphere.csv",
    "generate moebius --points 500 --seed 1 --output moebius.csv",
    "generate torus --points 600 --seed 1 --output torus.npy",
    "generate flat-torus --points 400 --seed 1 --output flat-torus.npy",
    "generate klein-bottle --points 500 --seed 1 --output klein.npz",
    "generate twin-peaks --points 400 --seed 1 --output peaks.parquet",
    "generate helix --points 300 --seed 1 --output helix.csv",
    "generate plane --points 300 --seed 1 --set dim=6 --noise 0.01 --output plane.mat",
    "generate glyph --points 300 --seed 1 --set size=16 --set turn=true --output glyph.npy",
];

const NEIGHBORS: &[&str] = &[
    "neighbors roll.csv --k 12 --algorithm tree --output tree.npy --format json",
    "neighbors roll.csv --k 12 --algorithm brute --output brute.npy --format json",
    "neighbors roll.csv --k 9 --threads 1 --output nine.csv",
    "neighbors roll.csv --k auto --output chosen.csv --format json",
    "neighbors glyph.npy --k 10 --approximate --seed 5 --output approximate.npy --format json",
    "neighbors roll.csv --radius 6 --output within.csv --format json",
    "neighbors plane.mat --k 8 --metric cosine --output cosine.csv --format json",
    "neighbors roll.csv --k 8 --metric manhattan --output manhattan.csv --format json",
    "neighbors glyph.npy --k 8 --metric correlation --output correlation.npy --format json",
    "neighbors square.csv --k 8 --metric precomputed --output square-lists.csv --format json",
    "neighbors sparse.csv --k 4 --metric precomputed --output sparse-lists.csv --format json",
];

const MEASURES: &[&str] = &[
    "measure roll.csv roll-truth.csv --measures all --format json",
    "measure roll.csv roll-truth.csv --measures all --without-center --k 9 --threads 1 --format json",
    "measure roll.csv roll-truth.csv --measures all --sample 100 --seed 3 --steps 5 --format json",
    "measure roll.csv roll-truth.csv --per-point per-point.csv",
    "measure roll.csv roll-truth.csv --measures all --per-point per-point-all.tsv --format json",
    "measure curve.npy curve-truth.csv --radius 0.5 --format json",
    "measure curve.npy curve-truth.csv --metric manhattan --k 6 --format json",
    "measure roll.csv roll-truth.csv --neighbors nine.csv --format json",
    "measure square.csv flat.csv --metric precomputed --k 8 --measures all --format json",
    "measure - small-truth.npy --k 8 --format json < small.csv",
    "measure named.csv flat.csv --id-column name --label-column kind --k 6 --per-point named-points.csv --format json",
];

/// The embeddings by every method, first as they come, then with their parameters.
const MAPS: &[&str] = &[
    "embed roll.csv --method psa --output psa.csv --save-model roll.truefold --torn psa-torn.csv --format json",
    "embed roll.csv --method psa --threads 1 --output psa-one.csv --format json",
    "embed roll.csv --method psa --threads 2 --k 9 --output psa-two.npy",
    "embed roll.csv --method gp --output gp.csv --save-model gp.truefold --format json",
    "embed roll.csv --method pca --output pca.csv --save-model pca.truefold --format json",
    "embed roll.csv --method factor-analysis --output factors.csv --format json",
    "embed small.csv --method mds --output mds.csv --format json",
    "embed roll.csv --method isomap --k 9 --output isomap.csv --save-model isomap.truefold --format json",
    "embed small.csv --method c-isomap --output c-isomap.csv --format json",
    "embed roll.csv --method landmark-isomap --set landmarks=100 --output landmark-isomap.csv --format json",
    "embed roll.csv --method ptu --output ptu.csv --format json",
    "embed roll.csv --method ptu --set landmarks=100 --output ptu-landmarks.csv --format json",
    "embed roll.csv --method lle --output lle.csv --format json",
    "embed roll.csv --method modified-lle --output modified-lle.csv --format json",
    "embed roll.csv --method ltsa --output ltsa.csv --format json",
    "embed roll.csv --method hessian-eigenmaps --output hessian.csv --format json",
    "embed roll.csv --method laplacian-eigenmaps --output laplacian.csv --format json",
    "embed roll.csv --method diffusion-maps --output diffusion.csv --format json",
    "embed small.csv --method sde --k 6 --output sde.csv --format json",
    "embed small.csv --method conformal-eigenmaps --output conformal.csv --format json",
    "embed roll.csv --method llc --output llc.csv --format json",
    "embed roll.csv --method global-coordination --output coordination.csv --format json",
    "embed roll.csv --method coordinated-pca --set start=lle --output coordinated.csv --format json",
    "embed roll.csv --method lsml --output lsml.csv --format json",
    "embed roll.csv --method tsne --output tsne.csv --format json",
    "embed roll.csv --method umap --output umap.csv --format json",
    "embed roll.csv --method faithful --set shape=0.7 --output faithful.csv --format json",
    "embed curve.npy --method lle --set reg=0.01 --dim 1 --output lle-reg.csv --format json",
    "embed curve.npy --method ltsa --set center=true --threads 1 --output ltsa-center.csv --format json",
    "embed curve.npy --method hessian-eigenmaps --set estimator=hessian --output hessian-paper.csv --format json",
    "embed curve.npy --method laplacian-eigenmaps --set weights=heat --dim 3 --output heat.csv --format json",
    "embed curve.npy --method diffusion-maps --set alpha=0 --set steps=3 --output walk.csv --format json",
    "embed small.csv --method sde --k 6 --set pairs=common-neighbors --set rounds=6 --output sde-pairs.csv --format json",
    "embed small.csv --method sde --k 6 --set distances=at-most --set rank=4 --output sde-less.csv --format json",
    "embed small.csv --method conformal-eigenmaps --set base=ltsa --set eigenvectors=6 --output conformal-ltsa.csv \
     --format json",
    "embed curve.npy --method llc --set models=30 --output llc-models.csv --format json",
    "embed curve.npy --method gp --set refine=none --set choice=paper --output gp-paper.csv --format json",
    "embed curve.npy --method gp --set refine=r-c --set start=random --seed 7 --output gp-random.csv --format json",
    "embed hemisphere.tsv --method gp --k 6 --output gp-hemisphere.tsv --format json",
    "embed glyph.npy --method isomap --metric cosine --dim 3 --output glyph-isomap.npy --format json",
    "embed roll.csv --method lle --neighbors nine.csv --output lle-given.csv --format json",
];

/// What the own methods do on surfaces that are closed, noisy, in pieces, or known by their distances alone.
const SURFACES: &[&str] = &[
    "embed curve.npy --method psa --set alignment=tree --set refine=none --output psa-tree.csv --format json",
    "embed curve.npy --method psa --set alignment=landmarks --set landmarks=20 --output psa-landmarks.csv --format json",
    "embed small.csv --method psa --set alignment=annealing --set sweeps=20 --seed 2 --output psa-cold.csv --format json",
    "embed curve.npy --method psa --set solver=iterative --set iterations=30 --output psa-iterative.csv --format json",
    "embed roll.csv --method psa --set tangent_k=20 --output psa-tangent.csv --format json",
    "embed noisy.csv --method psa --output psa-noisy.csv --torn noisy-torn.csv --format json",
    "embed noisy.csv --method psa --set denoise=2 --k 9 --output psa-denoised.csv --format json",
    "embed noisy.csv --method psa --set denoise=0 --output psa-left-noisy.csv",
    "embed small.csv --method psa --output psa-small.csv --torn small-torn.tsv --format json",
    "embed cylinder.csv --method psa --output cut.csv --torn cut-torn.csv --save-model cut.truefold --format json",
    "embed cylinder.csv --method psa --set tear=false --k 9 --output whole.csv --format json",
    "embed cylinder.csv --method psa --set tear=true --output torn.csv --torn torn-pairs.csv",
    "embed sphere.csv --method psa --output sphere-psa.csv --torn sphere-torn.csv --format json",
    "embed moebius.csv --method psa --output moebius-psa.csv --torn moebius-torn.csv --format json",
    "embed torus.npy --method psa --k 9 --output torus-psa.csv --torn torus-torn.csv --format json",
    "embed klein.npz --method psa --output klein-psa.csv --torn klein-torn.csv --format json",
    "embed flat-torus.npy --method psa --output flat-torus-psa.csv --torn flat-torus-torn.csv --format json",
    "embed hemisphere.tsv --method psa --k 6 --output hemisphere-psa.csv --format json",
    "embed hole.npy --method psa --k 9 --output hole-psa.csv --format json",
    "embed peaks.parquet --method psa --k auto --dim auto --output peaks-psa.parquet --format json",
    "embed roll.csv --method psa --k auto --dim auto --output auto.csv",
    "embed helix.csv --method psa --dim 1 --k 6 --output helix-psa.csv --format json",
    "embed plane.mat --method psa --dim 3 --output plane-psa.mat --format json",
    "embed pieces.csv --method psa --k 9 --output pieces-psa.csv --format json",
    "embed pieces.csv --method isomap --k 9 --set components=side-by-side --output pieces-side.csv --format json",
    "embed pieces.csv --method lle --k 9 --set components=largest --output pieces-largest.csv --format json",
    "embed square.csv --method gp --metric precomputed --k 8 --output square-gp.csv --format json",
    "embed square.csv --method mds --metric precomputed --k 8 --output square-mds.csv --format json",
    "embed square.csv --method isomap --metric precomputed --k 8 --output square-isomap.csv --format json",
    "embed sparse.csv --method isomap --metric precomputed --k 4 --output sparse-isomap.csv --format json",
    "embed named.csv --method psa --id-column name --drop-columns kind --k 6 --output named-psa.csv --format json",
];

/// Sizes at which other ways are taken than for few points.
const MANY: &[&str] = &[
    "generate swiss-roll --points 8000 --seed 6 --output many.npy --truth many-truth.npy",
    "generate cylinder --points 2500 --seed 6 --output long.npy",
    "generate glyph --points 2500 --seed 6 --output letters.npy",
    "neighbors letters.npy --k 10 --approximate --output letters-lists.npy --format json",
    "measure many.npy many-truth.npy --measures all --sample 300 --format json",
    "suggest many.npy --format json",
    "embed many.npy --method psa --output many-psa.npy --save-model many.truefold --format json",
    "embed many.npy --method gp --output many-gp.npy --format json",
    "embed many.npy --method ltsa --output many-ltsa.npy --format json",
    "embed many.npy --method laplacian-eigenmaps --output many-laplacian.npy --format json",
    "embed many.npy --method landmark-isomap --output many-landmarks.npy --format json",
    "embed many.npy --method pca --output many-pca.npy --format json",
    "embed letters.npy --method pca --dim 3 --output letters-pca.npy --format json",
    "embed long.npy --method psa --output long-psa.npy --torn long-torn.csv --format json",
    "refine many.npy many-landmarks.npy --output many-refined.npy --format json",
    "transform many.truefold roll.csv --output many-placed.npy --format json",
    "compare many.npy --methods pca,lle --report many.html --figure many.png --format json",
];

/// Commands that start from an embedding or look at the data.
const LATER: &[&str] = &[
    "transform roll.truefold new.csv --output new-psa.csv --confidence new-confidence.csv --format json",
    "transform roll.truefold new.csv --output new-psa.npy --figure new-psa.svg",
    "transform gp.truefold new.csv --output new-gp.csv --format json",
    "transform pca.truefold new.csv --output new-pca.csv --format json",
    "transform isomap.truefold small.csv --threads 1 --output new-isomap.csv --format json",
    "transform cut.truefold sphere.csv --output new-cut.csv --confidence new-cut-confidence.tsv --format json",
    "refine small.csv mds.csv --output refined.csv --format json",
    "refine roll.csv isomap.csv --target r-c --output refined-c.csv --format json",
    "refine roll.csv isomap.csv --target r --step simple --acceleration none --iterations 20 --output refined-r.csv \
     --format json",
    "refine roll.csv isomap.csv --target both --iterations 100 --output refined-both.csv --format json",
    "refine roll.csv isomap.csv --target r-pca --solver iterative --k 9 --output refined-pca.csv",
    "refine small.csv mds.csv --penalty 1 --output opened.csv --format json",
    "refine roll.csv pca.csv --penalty 0.5 --truth roll-truth.csv --report opened.html --figure opened.svg \
     --output opened-half.csv",
    "denoise noisy.csv --output clean.csv --format json",
    "denoise noisy.csv --tangent-k 20 --rounds 2 --dim auto --output clean-two.npy",
    "suggest roll.csv --format json",
    "suggest roll.csv",
    "suggest noisy.csv --per-point noisy-points.csv --figure noisy.svg --format json",
    "suggest sphere.csv --sample 200 --figure sphere.png --format json",
    "suggest torus.npy --metric manhattan --format json",
    "suggest helix.csv",
];

/// Tables of many embeddings, in every form.
const TABLES: &[&str] = &[
    "compare small.csv --format json",
    "compare small.csv --methods psa,isomap,lle --k 6,9,12 --format table",
    "compare small.csv --methods psa,pca,hessian-eigenmaps --k 4..8:4 --set psa.tear=false --format json",
    "compare cylinder.csv --methods psa,pca --report compared.html --figure compared.svg --truth cylinder-truth.csv \
     --format markdown",
    "compare curve.npy --methods psa,ltsa --k 8,12 --without-center --output maps --format csv",
    "compare curve.npy --methods isomap,lle --measures all --sample 100 --figure curve.png --format json",
    "compare named.csv --methods gp,pca --id-column name --label-column kind --k 6 --format html",
    "compare square.csv --methods gp,isomap --metric precomputed --k 8 --format json",
    "compare curve.npy --methods isomap,laplacian-eigenmaps --radius 0.6 --format csv",
    "compare glyph.npy --methods psa,pca --k 8 --images 16x16 --report glyph.html --format table",
    "sweep small.csv --method isomap --k 6..14:4 --dim 1..3 --format json",
    "sweep small.csv --method psa --k 6,9,12 --format table",
    "sweep curve.npy --method lle --set reg=0.01 --k 6,9,12 --format markdown",
    "sweep curve.npy --method ltsa --k 6,9,12 --reference-k 9 --without-center --format csv",
    "sweep curve.npy --method gp --k 6,12 --report swept.html --figure swept.svg --format json",
    "paper --only cylinder --methods psa,isomap,lle --k 9,12 --output paper",
    "demo --output demo",
];

/// Lists and help.
const WORDS: &[&str] = &[
    "methods",
    "methods --format json",
    "measures",
    "measures --format json",
    "datasets",
    "datasets --format json",
    "completions bash",
    "--version",
    "--help",
    "embed --help",
    "measure --help",
    "compare --help",
    "refine --help",
];

/// All commands that are to succeed.
pub fn all() -> impl Iterator<Item = &'static str> {
    [DATA, NEIGHBORS, MEASURES, MAPS, SURFACES, MANY, LATER, TABLES, WORDS].into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn no_run_is_there_twice_and_none_writes_what_another_wrote() {
        let (mut commands, mut written) = (BTreeSet::new(), BTreeSet::new());
        let outputs = ["--output", "--truth", "--per-point", "--save-model", "--torn", "--report", "--figure"];
        for command in super::all().chain(super::super::wrong::all()) {
            assert!(commands.insert(command), "{command}");
            let words: Vec<&str> = command.split_whitespace().collect();
            let reads_truth = words[0] != "generate";
            for pair in words.windows(2).filter(|pair| outputs.contains(&pair[0])) {
                if !(reads_truth && pair[0] == "--truth") {
                    assert!(written.insert(pair[1]), "{command} writes {} again", pair[1]);
                }
            }
        }
        assert!(commands.len() >= 80);
    }
}
