!mod$ v1 sum:4e353f13f92c1d0d
module arrays
integer(4),parameter::n=120_4
real(8)::a(1_8:120_8,1_8:120_8)
real(8)::b(1_8:120_8,1_8:120_8)
real(8)::c(1_8:120_8,1_8:120_8)
real(8)::x(1_8:480_8)
real(8)::y(1_8:480_8)
real(8)::rows(1_8:1500_8,1_8:4_8)
integer(4)::index(1_8:480_8)
integer(4)::counts(1_8:64_8)
end
